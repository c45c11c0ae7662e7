const { default: Sequencer } = require('@jest/test-sequencer');

// These take minutes: n8n polls once a minute at most. A fresh clone has no record of how long a file
// takes, and Jest would begin with the largest file.
const LONG = /\/e2e\/(triggers\/polling|n8n\/models|examples\/examples)/;

/** The long test files in front, so that the others run beside them; then Jest's own order. */
module.exports = class extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const isLong = ({ path }) => LONG.test(path);
		return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
	}
};
