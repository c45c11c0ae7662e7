import type { INodeParameters } from 'n8n-workflow';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

// A workflow of an earlier version must not call without the rule that it relied on.

const dispatch = useDispatch();

describe('a field of an earlier version', () => {
	it.each<[string, INodeParameters, string]>([
		['rules.dryRun', { rules: { dryRun: true } }, 'Mode'],
		['rules.testNumber', { rules: { testNumber: '(312) 555-0199' } }, 'Mode'],
		['rules.hoursFrom', { rules: { hoursFrom: '08:00' } }, 'Calling Hours'],
		['rules.hoursTo', { rules: { hoursTo: '20:00' } }, 'Calling Hours'],
		['rules.hoursDays', { rules: { hoursDays: ['monday'] } }, 'Calling Hours'],
		['rules.hoursZone', { rules: { hoursZone: 'phone' } }, 'Calling Hours'],
		['rules.outsideHours', { rules: { outsideHours: 'skip' } }, 'Calling Hours'],
		['rules.dryRun', { rules: '={{ ({ dryRun: true }) }}' }, 'Mode'],
		['skipIfCalledWithin', { skipIfCalledWithin: 60 }, 'Safety'],
		['skipIfCalledWithin', { skipIfCalledWithin: 0 }, 'Safety'],
		['skipIfCalledWithin', { skipIfCalledWithin: '={{ $json.none }}' }, 'Safety'],
		['dryRun', { dryRun: true }, 'Mode'],
		['extension', { extension: '204' }, 'More Fields'],
		['contactType', { contactType: 'driver' }, 'More Fields'],
		['contactName', { contactName: 'Dana Whitfield' }, 'More Fields'],
	])('is refused before any call, and the error says what to use: %s', async (path, old, now) => {
		const { error } = await dispatch.run(old);
		const [name, where = 'This node'] = path.split('.').reverse();
		const label = where === 'rules' ? 'Safety' : where;
		expect(error?.message).toMatch(
			`No phone rang. ${label} has no field "${name}": ${now} took its place`,
		);
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it('is not there in a new node', async () => {
		const { items } = await dispatch.run({ contactType: '', extension: '' });
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});
});
