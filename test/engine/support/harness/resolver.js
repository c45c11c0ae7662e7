const { sep } = require('node:path');

// n8n-workflow and LangChain name zod 3 as their peer, as n8n has it; this checkout has zod 4 at
// its top for the sandbox's contract. Mixed, an AI agent's tool refuses every argument. So inside
// these two packages "zod" is the zod 3 that n8n-core has brought along.
const ofN8n = ['n8n-workflow', '@langchain'].map((name) => `${sep}node_modules${sep}${name}${sep}`);

/** Jest's resolver for the engine tests. */
module.exports = (request, options) => {
	const isZod = request === 'zod' || request.startsWith('zod/');
	if (!isZod || !ofN8n.some((path) => `${options.basedir}${sep}`.includes(path))) {
		return options.defaultResolver(request, options);
	}
	const core = options.defaultResolver('n8n-core', options);
	return options.defaultResolver(request, { ...options, basedir: core });
};
