import { behavesAsList } from '../support/operations/list-behaviour.mts';

behavesAsList({
	resource: 'call',
	operation: 'getAll',
	endpoint: 'listCalls',
	key: 'id',
	loadOf: ({ loadIds }) => loadIds,
});
