// Runs the query of each line of standard input in DuckDB on a table that it reads from a CSV file, and answers in a line.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { DuckDBInstance } = createRequire(process.argv[2] + '/')('@duckdb/node-api');

async function run({ columns, copy, query }) {
  const instance = await DuckDBInstance.create(':memory:'), connection = await instance.connect();
  try {
    await connection.run('CREATE TABLE rows ' + columns);
    await connection.run(copy);
    if (query.length > 200_000) await connection.run('PRAGMA disable_optimizer');
    const result = await connection.runAndReadAll(query);
    return result.getRows().map((row) => row.map((v) => (v === null ? '' : String(v))));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await run(JSON.parse(line)).then((rows) => ({ rows }), (error) => ({ error: String(error) }))));
}
