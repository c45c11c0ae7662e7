import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from './document.mts';

const file = join(import.meta.dirname, '..', '..', 'openapi.json');
writeFileSync(file, openApiText());
console.log('Wrote sandbox/openapi.json');
