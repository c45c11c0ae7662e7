import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { failedItem, itemError } from '../../../nodes/shared/errors/itemError.ts';
import { InvalidParameter } from '../../../nodes/shared/fields/invalidParameter.ts';
import { ServiceFailure } from '../../../nodes/shared/service/failure.ts';

const node: INode = {
	id: '1',
	name: 'Check call',
	type: 'carrierLoadCommunications',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const attempted = { itemIndex: 7, title: "Couldn't get calls" };

describe('the error of an item', () => {
	it('is cut when it quotes a load ID of 2 MB', () => {
		const quoted = '9'.repeat(2_000_000);
		const details = { kind: 'status', what: `Load ${quoted} is unknown`, about: quoted } as const;
		const failure = new ServiceFailure({ ...details, request: `GET /api/v1/loads/${quoted}` });
		for (const error of [failure, new InvalidParameter('Load ID', `"${quoted}" is too long`)]) {
			const shown = itemError(node, error, attempted);
			expect(shown.message.length).toBeLessThan(600);
			expect(shown.description?.length).toBeLessThan(600);
			expect(JSON.stringify(shown).length).toBeLessThan(5000);
		}
	});

	it.each([
		['a text', 'broken', 'broken'],
		['nothing', undefined, 'No reason was given'],
		['null', null, 'No reason was given'],
		['an empty text', '', 'No reason was given'],
		['a number', 7, '7'],
		['an error', new TypeError('x is undefined'), 'x is undefined'],
		['an error without words', new Error(), 'No reason was given'],
		['an endless text', 'x'.repeat(10_000), 'x'.repeat(500)],
	])('is readable when %s was thrown', (_what, thrown, words) => {
		const error = itemError(node, thrown, attempted);
		expect(error.message).toBe("Couldn't get calls");
		expect(error.description).toBe(words);
		expect(error.context['itemIndex']).toBe(7);
		expect(error.description).not.toContain('    at ');
	});

	it('keeps an error of n8n and gives it the item', () => {
		for (const given of [
			new NodeApiError(node, { message: 'a' }),
			new NodeOperationError(node, 'b'),
		]) {
			const error = itemError(node, given, attempted);
			expect(error).toBe(given);
			expect(error.context['itemIndex']).toBe(7);
		}
	});

	it('of a field names the field and its value, even if n8n would read an error code in it', () => {
		const wrong = new InvalidParameter('Load Number', 'is not a load', 'ENOENT');
		const error = itemError(node, wrong, attempted);
		expect(error.message).toBe(wrong.message);
		expect(error.message).toContain('Load Number is not a load');
		expect(error.description).toContain('Nothing was sent for this item');
	});

	it('of the service without a status keeps its own words', () => {
		const failure = new ServiceFailure({
			kind: 'unreachable',
			what: 'The service at econnreset.example could not be reached',
			advice: 'Check the base URL',
			code: 'ECONNREFUSED',
			request: 'GET /api/v1/calls',
			attempts: 5,
		});
		const error = itemError(node, failure, attempted);
		expect(error.message).toBe(
			"Couldn't get calls: the service at econnreset.example could not be reached",
		);
		expect(error.description).toBe(
			'Check the base URL. Request: GET /api/v1/calls (tried 5 times, ECONNREFUSED).',
		);
	});
});

describe('a failed item with Continue on Fail', () => {
	it('has exactly the keys that n8n expects, and is paired with its item', () => {
		const error = itemError(node, 'broken', attempted);
		expect(failedItem(error, 7)).toEqual({
			json: { error: "Couldn't get calls", message: 'broken' },
			pairedItem: { item: 7 },
		});
		expect(failedItem(new Error('plain'), 0).json).toEqual({ error: 'plain', message: 'plain' });
	});

	it.each([
		['continueErrorOutput', true],
		['continueRegularOutput', false],
		[undefined, false],
	] as const)('keeps its details, and has an error for n8n 2.0, with %s', (onError, hasError) => {
		const error = new NodeOperationError(node, 'closed');
		error.context['nextAllowedAt'] = '2026-03-02T14:00:00.000Z';
		const item = failedItem(error, 0, onError);
		const details = { nextAllowedAt: '2026-03-02T14:00:00.000Z' };
		expect(item.json).toEqual({ error: 'closed', message: 'closed', details });
		expect(item.error).toBe(hasError ? error : undefined);
		// n8n would replace the json of a copy that has it.
		expect({ ...item }).not.toHaveProperty('error');
	});
});
