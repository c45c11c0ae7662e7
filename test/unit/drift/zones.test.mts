import { readFileSync } from 'node:fs';
import { IANAZone } from 'luxon';

import { zonesOfNumber } from '../../../nodes/CarrierLoadCommunications/calls/rules/zones.ts';
import { ZONES } from '../../../nodes/CarrierLoadCommunications/calls/rules/zoneTable.ts';
import { ZONE_TABLE, zoneTable } from '../../../scripts/zones.mts';

describe('the table of time zones', () => {
	it('is what scripts/zones.mts makes of the published table (npm run zones)', () => {
		expect(readFileSync(ZONE_TABLE, 'utf8')).toBe(zoneTable());
	});

	it('has only zones that this version of Node.js knows', () => {
		expect(ZONES.split(',').filter((zone) => !IANAZone.isValidZone(zone))).toEqual([]);
	});

	it.each([
		['+13125550188', ['America/Chicago']],
		['+12125550188', ['America/New_York']],
		['+16025550188', ['America/Phoenix']],
		['+19072285500', ['America/Juneau']],
		['+18085550188', ['Pacific/Honolulu']],
		['+17875550188', ['America/Puerto_Rico']],
		['+14165550188', ['America/Toronto']],
		['+17092275500', ['America/St_Johns']],
		['+525512345678', ['America/Mexico_City']],
		['+526641234567', ['America/Tijuana']],
		['+529981234567', ['America/Cancun']],
		['+442079460958', ['Europe/London']],
		// An exchange in a divided area code that the table knows, and one that it doesn't.
		['+12192265500', ['America/Chicago']],
		['+12192005500', ['America/Chicago', 'America/New_York']],
		['+8835100123456', []],
	])('gives %s the zones %j', (number, zones) => {
		expect(zonesOfNumber(number)).toEqual(zones);
	});

	it("gives a number without an area its own country's zones, not those of all countries with +1", () => {
		const zones = zonesOfNumber('+18005550188');
		expect(zones).toContain('America/New_York');
		expect(zones).not.toContain('Pacific/Honolulu');
		expect(zonesOfNumber('+12735550188')).toContain('America/St_Johns');
	});
});
