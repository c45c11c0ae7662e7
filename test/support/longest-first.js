const { join, relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

// A fresh clone has no record of how long a file takes, and Jest would begin with the largest file. These wait: in the
// e2e suite for n8n, which polls once a minute at most; in the engine suite for answers and pauses. The longest is first.
const LONG = require('./longest-first.json');
const TEST = join(__dirname, '..');

const rank = ({ path }) => {
	const name = relative(TEST, path).split(sep).join('/');
	const place = LONG.indexOf(name);
	if (place !== -1) return place;
	return name.startsWith('engine/') ? LONG.length : LONG.length + 1;
};

/** Jest's own order, or if it has no record yet: the long files, then the others of the engine suite, then the rest. */
module.exports = class extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
		return sorted.sort((one, other) => rank(one) - rank(other));
	}
};
