import { behavesLikeList } from '../support/operations/list-behavior.mts';

behavesLikeList({
	resource: 'bid',
	operation: 'getAll',
	endpoint: 'listBids',
	key: 'createdAt',
	loadOf: ({ loadNumber }) => loadNumber,
});
