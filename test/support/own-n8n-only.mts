import { N8N_VARIABLE } from '../../playground/n8n/choice.mts';

// Stands for each suite that can't run on a given n8n (see jest.config.mjs).
it('this suite stops n8n or changes its settings, so it runs on one that it starts', () => {
	throw new Error(`Unset ${N8N_VARIABLE}, or set it to "docker".`);
});
