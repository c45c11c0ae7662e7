interface Difference {
	tests: RegExp;
	/** What such a test says. If it says something else, it failed for another reason. */
	says: RegExp;
	why: string;
}

/** Where an n8n before 2.41 differs, so that a test written for 2.41 fails on it. */
const DIFFERENCES: Difference[] = [
	{
		tests:
			/ is refused by the editor when it is |^Next Stop is marked in the form, and stops |^n8n itself does not start a workflow in which /,
		says: /Received message: +"The workflow has issues and cannot be executed for that reason\./,
		why: "n8n refuses to run the workflow, but its error doesn't name the field",
	},
	{
		tests:
			/puts the file in the field, with name and MIME type$|^rejects a recording above the size limit$|^call: downloadRecording returns what its schema says$|^a recording is stored while it is downloaded, /,
		says: /"fileSizeBytes": (undefined|Array \[\n\+ +"undefined")/,
		why: "n8n doesn't tell a file's size in bytes, so fileSizeBytes is missing",
	},
	{
		tests:
			/ when https reaches an http port$| when it gets a certificate that is not trusted$| says that a certificate is not trusted$| a base URL with the wrong protocol: the errors of every kind of call begin /,
		says: /was lost before the response was complete|\+ +"says": "The phone may "/,
		why: "n8n loses the socket with the error, so a failed TLS handshake can't be told from a connection lost later: the error says that the phone may have rung, and the credential's test that the connection was lost",
	},
	{
		tests: /^waiting for the webhook event pauses the execution until the time limit, /,
		says: /Received has value: null/,
		why: 'the URL that resumes an execution has no secret token',
	},
	{
		tests:
			/^a request to the trigger (makes n8n evaluate no expression, |has the same response code whether )/,
		says: / is not a function/,
		why: 'n8n can only evaluate expressions here',
	},
	{
		tests: /^a node in the engine sends a failed item to the error output if set so$/,
		says: /\+ +undefined,\n +"\/loads\/2"/,
		why: "n8n doesn't take the item of the node made for this test for a failed one; this package's nodes say it in the way that 2.0 knows",
	},
];

/** Test files about what n8n before 2.41 doesn't have. */
const NOT_BEFORE_2_41 = [
	{
		file: 'test/engine/triggers/polling-slow.test.mts',
		why: 'n8n neither tells how long a poll may take nor has durable cursors; a poll takes up to five minutes',
	},
];

/** The test files that are left out with this n8n, and why. */
export function leftOut(version: string): { file: string; why: string }[] {
	return isBefore241(version) ? NOT_BEFORE_2_41 : [];
}

/** Why this test is known to fail on this n8n with this message; undefined if it shouldn't. */
export function knownDifference(
	version: string,
	{ test, message }: { test: string; message: string },
): string | undefined {
	if (!isBefore241(version)) return undefined;
	return DIFFERENCES.find(({ tests, says }) => tests.test(test) && says.test(message))?.why;
}

function isBefore241(version: string): boolean {
	return version.localeCompare('2.41.0', 'en', { numeric: true }) < 0;
}
