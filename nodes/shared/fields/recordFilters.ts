import { convert } from './field';
import { locator } from './locator';
import { text } from './text';

const MAX_LENGTH = 200;

/** The filters of conversations, calls and bids (contract 4.1). */
export const recordFilters = {
	loadId: text({
		label: 'Load ID',
		example: '48213',
		about: 'Only records about this load',
		maxLength: MAX_LENGTH,
		narrows: true,
	}),
	mcNumber: convert(
		locator({
			label: 'MC Number',
			example: '123456',
			about: 'Only records of the carrier with this MC number',
			...{ one: 'carrier', search: 'searchMcNumbers', by: 'By MC Number' },
			pattern: { regex: /\d/, problem: 'must contain a number' },
			maxLength: MAX_LENGTH,
			narrows: true,
		}),
		digitsOfMcNumber,
	),
};

/** The digits of an MC number, as people write it: MC738202, MC-738202, mc 738202, MC# 738202. */
export function digitsOfMcNumber(typed: string | undefined): string | undefined {
	const [, digits] = /^(?:MC(?:\s*(?:number|no\.?))?[\s#:.-]*|#\s*)(\d+)$/i.exec(typed ?? '') ?? [];
	return digits ?? typed;
}

/**
 * Filters that only conversations have (contract 4.2).
 *
 * @param show where they are shown, if not always
 */
export function laneFilters(show?: Record<string, string[]>) {
	const when = show && { show };
	return {
		origin: text({
			label: 'Origin',
			example: 'Chicago, IL',
			about: 'Only conversations about loads with this pickup address',
			maxLength: MAX_LENGTH,
			narrows: true,
			...when,
		}),
		destination: text({
			label: 'Destination',
			example: 'Dallas, TX',
			about: 'Only conversations about loads with this delivery address',
			maxLength: MAX_LENGTH,
			narrows: true,
			...when,
		}),
	};
}
