// Runs the ONNX file that a line of standard input names on the inputs there, and answers in a line: the outputs, or an error.
const { createRequire } = require("node:module");
const readline = require("node:readline");
const { InferenceSession, Tensor } = createRequire(process.argv[2] + "/")("onnxruntime-node");

const kinds = { float64: Float64Array, float32: Float32Array };
const number = (cell) => (cell === "" ? NaN : Number(cell));

async function run({ path, type, inputs }) {
  const session = await InferenceSession.create(path, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const feeds = {};
  for (const { name, text, dims, cells } of inputs) {
    feeds[name] = text ? new Tensor("string", cells, dims) : new Tensor(type, kinds[type].from(cells, number), dims);
  }
  const outputs = {};
  for (const [name, tensor] of Object.entries(await session.run(feeds))) {
    outputs[name] = { dims: tensor.dims, cells: Array.from(tensor.data, String) };
  }
  await session.release();
  return outputs;
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const answer = {};
    try {
      answer.outputs = await run(JSON.parse(line));
    } catch (error) {
      answer.error = String(error);
    }
    console.log(JSON.stringify(answer));
  }
})();
