// Runs a query in DuckDB on a table that it reads from a CSV file, and prints the rows as CSV.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const input = JSON.parse(readFileSync(0, 'utf8'));
const { DuckDBInstance } = createRequire(input.modules + '/')('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run('CREATE TABLE rows ' + input.columns);
await connection.run(input.copy);
if (input.query.length > 200_000) await connection.run('PRAGMA disable_optimizer');
const cell = (v) => v === null ? '' : typeof v === 'string' ? '"' + v.replaceAll('"', '""') + '"' : String(v);
const result = await connection.runAndReadAll(input.query);
process.stdout.write(result.getRows().map((row) => row.map(cell).join(',') + '\n').join(''));
