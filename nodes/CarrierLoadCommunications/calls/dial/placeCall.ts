import type { IDataObject } from 'n8n-workflow';

import { throwIfStopped } from '../../../shared/service/http/cancellation';
import { ServiceFailure } from '../../../shared/service/http/failure';
import { NotPlaced } from '../output/callErrors';
import { placedRow } from '../output/callRow';
import { findDuplicate, releaseTarget } from '../rules/duplicateGuard';
import { inLine } from '../memory/runExclusive';
import { withoutExtension } from '../plan/phoneNumber';
import { describeCall, type ItemCall, type Placing } from './placement';
import { findNoted, reconcile, TIME_UNKNOWN } from '../reconcile/reconcile';
import { settled } from '../memory/settled';

/**
 * Gives an item its call: the one that it has from an earlier try, an earlier call that stands for
 * it, or a call that is dialled now. Dials at most once, however often it is asked.
 *
 * @throws UnknownOutcome when it cannot be found out whether a call was placed
 * @throws NotPlaced, ServiceFailure when it is certain that none was
 */
export async function placeCall(placing: Placing, item: ItemCall): Promise<IDataObject> {
	// A call that was lost is looked for by its number: no other may be on its way to it meanwhile.
	return await inLine(`phone:${withoutExtension(item.wanted.toPhone)}`, async () => {
		const { memo, signal } = placing;
		const known = memo.recall(item.key);
		if (known?.state === 'done') return known.row;
		throwIfStopped(signal);
		if (known?.since === TIME_UNKNOWN) return await findNoted(placing, item);
		if (known) {
			const why = 'An earlier try of this execution sent the request and got no answer';
			return await reconcile(placing, item, Date.parse(known.since), why);
		}
		return await dialUnlessCalled(placing, item);
	});
}

async function dialUnlessCalled(placing: Placing, item: ItemCall): Promise<IDataObject> {
	const { memo, journal, pace, signal } = placing;
	if (!(await journal.begin(item.key))) return await findNoted(placing, item);

	const earlier = await settled(findDuplicate(placing, item));
	if ('error' in earlier) {
		await journal.takeBack(item.key);
		throw earlier.error;
	}
	if (earlier.value) {
		memo.done(item.key, item.wanted, earlier.value);
		await journal.takeBack(item.key);
		return earlier.value;
	}
	const turn = await settled(pace.turn().then(() => throwIfStopped(signal)));
	if ('error' in turn) {
		await takeBack(placing, item);
		throw turn.error;
	}
	return await dial(placing, item);
}

async function dial(placing: Placing, item: ItemCall): Promise<IDataObject> {
	const since = Date.now();
	placing.memo.dialling(item.key, item.wanted, new Date(since).toISOString());
	const sent = await settled(item.send(placing.client));
	if ('error' in sent) return await afterFailure(placing, item, since, sent.error);

	const answer = sent.value;
	const read = item.readAnswer(answer);
	if ('unclear' in read) return await reconcile(placing, item, since, read.unclear);
	if ('refused' in read) {
		await takeBack(placing, item);
		throw refusal(item, read.refused);
	}
	const row = placedRow(item.wanted, read.placed, answer);
	placing.memo.done(item.key, item.wanted, row);
	await placing.journal.claim(row.callId, item.key);
	return row;
}

async function afterFailure(placing: Placing, item: ItemCall, since: number, error: unknown) {
	if (!(error instanceof ServiceFailure)) {
		return await reconcile(placing, item, since, 'The request failed half way');
	}
	if (error.nothingHappened) await takeBack(placing, item);
	if (error.nothingHappened || error.details.kind === 'cancelled') throw error;
	return await reconcile(placing, item, since, error.message);
}

/** It is certain that nothing was dialled: the next try may dial. */
async function takeBack(placing: Placing, item: ItemCall): Promise<void> {
	placing.memo.forget(item.key);
	await placing.journal.takeBack(item.key);
	await releaseTarget(placing, item);
}

function refusal({ wanted }: ItemCall, words: string | undefined): NotPlaced {
	return new NotPlaced(
		`The service did not place the ${describeCall(wanted)}${words === undefined ? '' : `: ${words}`}`,
		'No phone rang. Check the values of this item, or ask the service operator what the answer means',
	);
}
