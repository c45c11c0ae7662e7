// Which mutants a run tries, and which tests it gives each of them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { mutantsOf, type Mutant } from './mutants.mts';
import type { TestReport } from './workshop.mts';

const root = resolve(import.meta.dirname, '../..');

/** Forms are declarations, read by people; the other tests compare them with the documentation. */
const LEFT_OUT = /zoneTable\.ts$|Library\.ts$|\/samples\.ts$|\/fields\/(?!readRules)/;

/** The folders in which a defect rings a phone twice, loses an event, or cuts a list. */
const FOLDERS: Record<string, RegExp> = {
	calls: /CarrierLoadCommunications\/calls\//,
	verify: /Trigger\/verify\//,
	parse: /Trigger\/parse\//,
	deliver: /Trigger\/(deliver\/|receive\.ts)/,
	polling: /PollingTrigger\/(?!form|samples|.*\.node)/,
	pagination: /shared\/service\/pagination\//,
	retry: /shared\/service\/http\/(retry\/|exchange|transportError|request)/,
	events: /shared\/events\//,
	credential: /^credentials\/.*LoadCommunicationsApi\./,
};

export function folderOf(file: string): string | undefined {
	if (LEFT_OUT.test(file)) return undefined;
	return Object.keys(FOLDERS).find((name) => FOLDERS[name]?.test(file));
}

/** A sample without repetition, the same for the same seed. */
export function draw(files: string[], count: number, seed: number): Mutant[] {
	const all = files.flatMap((file) => mutantsOf(file, readFileSync(resolve(root, file), 'utf8')));
	let state = seed;
	const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
	for (let index = all.length - 1; index > 0; index--) {
		const other = Math.floor(random() * (index + 1));
		const [one, two] = [all[index], all[other]];
		if (one && two) [all[index], all[other]] = [two, one];
	}
	return all.slice(0, count);
}

/** A change made by hand: `from` occurs once in the file. */
export interface Named {
	name: string;
	file: string;
	from: string;
	to: string;
}

/** @throws when the text is no longer in the file, or is there more than once */
export function namedMutant({ name, file, from, to }: Named): Mutant {
	const text = readFileSync(resolve(root, file), 'utf8');
	const start = text.indexOf(from);
	if (start < 0 || text.includes(from, start + 1)) {
		throw new Error(`"${name}": ${file} must contain exactly once: ${from}`);
	}
	const line = text.slice(0, start).split('\n').length;
	const places = mutantsOf(file, text).filter((each) => each.start < start + from.length);
	const place = places.at(-1)?.place ?? file;
	return { file, start, end: start + from.length, replacement: to, line, what: name, place };
}

/**
 * The tests that reach a mutant's function, or else its file, unit tests first, then those that do
 * little else.
 */
export function testsFor({ file, place }: Mutant, reports: TestReport[], most: number) {
	const sound = reports.filter(({ failed }) => !failed);
	const exact = sound.filter(({ reached }) => reached.includes(place));
	const share = ({ reached }: TestReport) =>
		reached.filter((each) => each.startsWith(`${file}@`)).length / reached.length;
	const isUnit = ({ test }: TestReport) => Number(test.startsWith('test/unit/'));
	const isInFile = ({ reached }: TestReport) => reached.some((each) => each.startsWith(`${file}@`));
	const candidates = exact.length > 0 && place !== file ? exact : sound.filter(isInFile);
	return candidates
		.sort((one, other) => isUnit(other) - isUnit(one) || share(other) - share(one))
		.slice(0, most);
}
