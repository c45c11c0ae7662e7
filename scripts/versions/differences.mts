/** Where an n8n before 2.41 differs, so that a test written for 2.41 fails on it. */
const DIFFERENCES: { tests: RegExp; why: string }[] = [
	{
		tests: /is refused by the editor when it is /,
		why: "the editor refuses the workflow, but n8n's error doesn't name the field",
	},
	{
		tests:
			/puts the file in the field, with name and MIME type$|^rejects a recording above the size limit$|^call: downloadRecording returns what its schema says$/,
		why: "n8n doesn't tell a file's size in bytes, so fileSizeBytes is missing",
	},
];

/** Why this test is known to fail on this n8n; undefined if it shouldn't. */
export function knownDifference(version: string, test: string): string | undefined {
	const isOld = version.localeCompare('2.41.0', 'en', { numeric: true }) < 0;
	return isOld ? DIFFERENCES.find(({ tests }) => tests.test(test))?.why : undefined;
}
