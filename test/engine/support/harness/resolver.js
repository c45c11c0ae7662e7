const { join, sep } = require('node:path');

// n8n-workflow and LangChain use zod 3 as a peer dependency, as n8n does; this checkout has zod 4
// at its root for the sandbox's contract. Mixed, an AI agent's tool rejects all arguments. So
// inside these two packages, "zod" is the zod 3 that n8n-core depends on.
const ofN8n = ['n8n-workflow', '@langchain'].map((name) => `${sep}node_modules${sep}${name}${sep}`);

// For tests with another version of n8n (scripts/versions.mts): a folder in which it is installed.
// Its parts replace those of this checkout, wherever they are asked for.
const otherN8n = process.env.CARRIER_TEST_ENGINE;
const isPartOfN8n = (request) =>
	/^(n8n-core|n8n-workflow|@n8n\/(di|backend-common))($|\/)/.test(request);

/** Jest's resolver for the engine tests. */
module.exports = (request, options) => {
	if (otherN8n && !options.basedir.startsWith(otherN8n)) {
		const basedir = join(otherN8n, 'node_modules', 'n8n');
		return isPartOfN8n(request)
			? options.defaultResolver(request, { ...options, basedir })
			: options.defaultResolver(request, options);
	}
	if (otherN8n) return options.defaultResolver(request, options);
	const isZod = request === 'zod' || request.startsWith('zod/');
	if (!isZod || !ofN8n.some((path) => `${options.basedir}${sep}`.includes(path))) {
		return options.defaultResolver(request, options);
	}
	const core = options.defaultResolver('n8n-core', options);
	return options.defaultResolver(request, { ...options, basedir: core });
};
