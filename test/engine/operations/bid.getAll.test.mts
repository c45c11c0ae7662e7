import { behavesAsList } from '../support/operations/list-behaviour.mts';

behavesAsList({
	resource: 'bid',
	operation: 'getAll',
	endpoint: 'listBids',
	key: 'callDateTime',
	loadOf: ({ loadId }) => loadId,
});
