// Runs test files in the order in which they are most likely to notice a mutant.
import Sequencer from '@jest/test-sequencer';

const order = JSON.parse(process.env.MUTATION_TESTS ?? '[]');

export default class InGivenOrder extends Sequencer {
	sort(tests) {
		return [...tests].sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
	}
}
