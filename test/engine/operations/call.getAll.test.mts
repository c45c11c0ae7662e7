import { behavesLikeList } from '../support/operations/list-behavior.mts';

behavesLikeList({
	resource: 'call',
	operation: 'getAll',
	endpoint: 'listCalls',
	key: 'callId',
	loadOf: ({ loadNumber }) => loadNumber,
});
