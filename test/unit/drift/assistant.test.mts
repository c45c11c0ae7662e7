import type { INodeTypeDescription } from 'n8n-workflow';
import { CarrierLoadCommunicationsPollingTrigger } from '../../../nodes/CarrierLoadCommunicationsPollingTrigger/CarrierLoadCommunicationsPollingTrigger.node.ts';
import { CarrierLoadCommunicationsTrigger } from '../../../nodes/CarrierLoadCommunicationsTrigger/CarrierLoadCommunicationsTrigger.node.ts';
import { description } from '../support/drift/form.mts';

// What n8n's assistant reads about the nodes.

it.each<[string, INodeTypeDescription]>([
	['the action node', description],
	['the webhook trigger', new CarrierLoadCommunicationsTrigger().description],
	['the polling trigger', new CarrierLoadCommunicationsPollingTrigger().description],
])('%s has a hint of at most four sentences for the search', (_name, { builderHint }) => {
	const hint = builderHint?.searchHint ?? '';
	expect(hint.split(/\.(?: |$)/).filter(Boolean).length).toBeGreaterThan(1);
	expect(hint.split(/\.(?: |$)/).filter(Boolean).length).toBeLessThanOrEqual(4);
});

it.each(['toPhone', 'nextStopIndex', 'waitForOutcome', 'rules'])(
	'%s has a hint wherever an operation has the field',
	(name) => {
		const fields = description.properties.filter(
			(field) => field.name === name && field.type !== 'hidden',
		);
		expect(fields.length).toBeGreaterThan(0);
		for (const { builderHint } of fields) expect(builderHint?.propertyHint).toBeTruthy();
	},
);
