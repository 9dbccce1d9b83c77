
// placesOf returns the places of a column of categories or of few distinct values: position on
// the axis, name, value and number of rows; undefined for any other column.
function placesOf(column) {
  const { levels, values, counts } = column;
  return levels?.map((value, k) => ({ at: k, text: value, value, count: counts[k] }))
    ?? values?.map((value, k) => ({ at: value, text: cellText(value), value, count: counts[k] }));
}

// spanOf returns the axis of numbers from their histogram: it has most of them, and bars draws arrows where some are beyond it.
const spanOf = ({ histogram, min, max }) => ({ from: histogram?.from ?? min, to: histogram?.to ?? max });

// turnedLetters is the most letters of a name that stands upright.
const turnedLetters = 16;

// placeAxis returns an axis with the names of the places; gap is the distance of neighbours. Names that do not fit side by side, and would
// have few letters, stand upright; some are left out if even so there is no room.
function placeAxis(column, places) {
  const range = places.at(-1).at - places[0].at, gaps = places.slice(1).map((p, k) => p.at - places[k].at);
  const gap = range > 0 ? Math.max(range / 40, Math.min(...gaps)) : 1;
  const longest = Math.max(...places.map((p) => p.text.length)), { levels } = column;
  return {
    from: places[0].at - gap / 2, to: places.at(-1).at + gap / 2, gap, broad: levels?.length > 12,
    ticks: (width) => {
      const pixels = (width * gap) / (range + gap), slot = (pixels - 4) / 6.4; // in letters
      const turned = levels !== undefined && longest > slot && slot < 8, room = !levels ? longest : turned ? turnedLetters : Math.floor(slot);
      const every = turned ? Math.ceil(13 / pixels) : Math.ceil(Math.min(room, longest) / Math.max(slot, 0.1));
      return places.map((p, k) => ({ at: p.at, text: k % every ? "" : cutMiddle(p.text, room), turned }));
    },
  };
}

// cutMiddle shortens a long name in the middle.
const cutMiddle = (name, most) => (name.length > most ? `${name.slice(0, Math.ceil((most - 1) / 2))}…${name.slice(-Math.floor((most - 1) / 2))}` : name);

// placeBarsOf returns the places of bars of the numbers of rows of the places, as high as a share of the plot.
function placeBarsOf(plot, places, gap, share) {
  const most = Math.max(1, ...places.map((p) => p.count)), width = 0.8 * (plot.x(gap) - plot.x(0));
  return places.map((p) => {
    const height = ((plot.bottom - plot.top) * share * p.count) / most;
    return { x: plot.x(p.at) - width / 2, y: plot.bottom - height, width, height };
  });
}

// placeBars draws the bars of places.
const placeBars = (...of) => svg("g", { class: "histogram" }, ...placeBarsOf(...of).map((bar) => svg("rect", bar)));

// placeDots draws a point at each place, shifted by a share of the gap between -0.5 and 0.5.
function placeDots(plot, places, gap, ys, aside, attributes) {
  return places.map((p, k) => svg("circle", { cx: plot.x(p.at + aside * gap), cy: plot.y(ys[k]), ...attributes },
    svg("title", {}, `${p.text}: ${figure(ys[k])}`)));
}
