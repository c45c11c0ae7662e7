import { knownDifference } from '../../../scripts/versions/differences.mts';

describe('a test that fails on an older n8n', () => {
	const known = {
		test: 'rejects a recording above the size limit',
		message: '-   "fileSizeBytes": 8044,\n+   "fileSizeBytes": undefined,',
	};

	it('is a known difference if it says what that difference says', () => {
		expect(knownDifference('2.0.0', known)).toContain('fileSizeBytes is missing');
	});

	it('is a failure if its message differs from the known one', () => {
		const timeout = { ...known, message: 'Exceeded timeout of 300000 ms for a test.' };
		expect(knownDifference('2.0.0', timeout)).toBeUndefined();
	});

	it('is a failure on the n8n that the tests are written for', () => {
		expect(knownDifference('2.41.1', known)).toBeUndefined();
	});
});
