// Sends messages to a worker that runs program.js.
const worker = new Worker(URL.createObjectURL(new Blob([tskgraphWorker]))), calls = new Map(), events = [];
worker.onmessage = ({ data: { id, event, fault, result } }) => {
  if (event) return events.push(event.message);
  return fault ? calls.get(id).reject(fault) : calls.get(id).resolve(result);
};
const send = (kind, message = {}) => new Promise((resolve, reject) => {
  const id = calls.size + 1;
  calls.set(id, { resolve, reject });
  worker.postMessage({ id, kind, ...message });
});
const call = (method, args) => send("call", { method, args }).catch((fault) => fault.kind + ": " + fault.message);
