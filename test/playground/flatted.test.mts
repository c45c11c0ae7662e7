import { unflatten } from '../../playground/n8n/executions.mts';

it("an execution's data is read as n8n returns it", () => {
	const text =
		'[{"resultData":"1","count":2},{"error":"2","runs":"3"},{"message":"4"},["4","1"],"It failed"]';
	const data = unflatten(text);
	expect(data).toMatchObject({ count: 2, resultData: { error: { message: 'It failed' } } });
});

it("an execution's data is read if a part of it contains itself", () => {
	const data = unflatten('[{"self":"0","none":null,"list":"1"},[true,"0"]]');
	expect(data).toHaveProperty('self', data);
	expect(data).toHaveProperty('list.1', data);
});
