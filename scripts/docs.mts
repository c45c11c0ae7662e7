// Updates the generated parts of docs/ from the built package ("npm run docs").
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { writeOperations } from './docs/operations.mts';

const require = createRequire(import.meta.url);
const { resources } = require('../dist/nodes/CarrierLoadCommunications/resources/index.js');

const file = 'docs/operations.md';
writeFileSync(file, writeOperations(readFileSync(file, 'utf8'), resources));
console.log(`${file} is up to date.`);
