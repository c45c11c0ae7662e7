const { sep } = require('node:path');

// n8n-workflow and LangChain use zod 3 as a peer dependency, as n8n does; this checkout has zod 4
// at its root for the sandbox's contract. Mixed, an AI agent's tool rejects all arguments. So
// inside these two packages, "zod" is the zod 3 that n8n-core depends on.
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
