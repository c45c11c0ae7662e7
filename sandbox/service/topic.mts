import type { Topic } from '../data/calls/transcripts.mts';
import type { DialedCall } from '../types.mts';
import type { Service } from './service.mts';

/** Nobody answers a check call to a number that ends in 0190, so that the next step can be tried. */
const UNANSWERED = /0190(;|$)/;

/** One carrier in four bids on the load it is offered: those whose DOT number is divisible by 4. */
const bids = (dotNumber = 1): boolean => dotNumber % 4 === 0;

/** What a call will be about. The page may have requested a late driver. */
export function takeTopic(
	service: Service,
	{ kind, toPhone, dotNumber }: Pick<DialedCall, 'kind' | 'toPhone' | 'dotNumber'>,
	topic: Topic,
): Topic {
	if (kind === 'carrierSalesCall' && bids(dotNumber)) return 'bid';
	if (kind !== 'checkCall') return topic;
	if (UNANSWERED.test(toPhone)) return 'voicemail';
	if (!service.nextDriverIsLate) return topic;
	service.nextDriverIsLate = false;
	return 'delayed';
}
