import { Settings } from 'luxon';
import {
	dateRange,
	timeRange,
} from '../../../../nodes/CarrierLoadCommunications/fields/timeRange.ts';
import { parametersOf } from './parameters-of.mts';

const chicago = 'America/Chicago';

/** Sunday; the clocks in Chicago changed at 02:00 (08:00 UTC). */
export const now = '2026-03-08T17:30:00.000Z';

/** Stops the clock that the nodes read. */
export const freeze = (iso: string) => {
	Settings.now = () => Date.parse(iso);
};

/** Restarts the clock. */
export const unfreeze = () => {
	Settings.now = () => Date.now();
};

/** Start and end of a range of times. */
export const times = (values: Record<string, unknown>, timezone = chicago) => {
	const parameters = parametersOf(values, { timezone });
	const { startTime, endTime } = timeRange.read(parameters, 'timeRange');
	return [startTime, endTime];
};

/** Start and end of a range of days. */
export const days = (values: Record<string, unknown>, timezone = chicago) => {
	const parameters = parametersOf(values, { timezone });
	const { startDate, endDate } = dateRange.read(parameters, 'dateRange');
	return [startDate, endDate];
};

/** Start and end of a custom range of times. */
export const custom = (startTime: unknown, endTime?: unknown, zone = chicago) =>
	times({ timeRange: 'custom', startTime, endTime }, zone);

/** Start and end of a custom range of days. */
export const customDays = (startDate: unknown, endDate?: unknown, zone = chicago) =>
	days({ timeRange: 'custom', startDate, endDate }, zone);
