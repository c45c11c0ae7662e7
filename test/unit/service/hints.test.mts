import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { Hints } from '../../../nodes/CarrierLoadCommunications/operations/hints.ts';

it('a hint that a list is incomplete is never hidden behind hints about waits', () => {
	const shown: NodeExecutionHint[] = [];
	const context = { addExecutionHints: (...hints: NodeExecutionHint[]) => shown.push(...hints) };
	const hints = new Hints(context as unknown as IExecuteFunctions, 20);
	for (let item = 0; item < 20; item++) hints.addWait(item, 6000);
	hints.add(19, 'The list may be incomplete');
	hints.show();
	expect(shown[0]?.message).toBe('Item 19: The list may be incomplete');
	expect(shown.at(-1)?.message).toBe('There are 11 more hints');
});
