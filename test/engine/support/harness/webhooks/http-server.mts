import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createGunzip, createInflate } from 'node:zlib';
import type expressModule from 'express';
import type { INode } from 'n8n-workflow';
import { core, repositoryRoot } from '../n8n.mts';

const require = createRequire(join(repositoryRoot, 'package.json'));
const express: typeof expressModule = require('express');
interface Network {
	parseIncomingMessage(message: unknown): void;
}
// In older versions, they are parts of n8n-core.
const network: Network =
	'parseIncomingMessage' in core
		? (core as unknown as Network)
		: createRequire(require.resolve('n8n-core'))('@n8n/backend-network');

type Handler = (request: expressModule.Request, response: expressModule.Response) => Promise<void>;

/** An express server, as n8n has one, on a free port of the loopback. */
export async function listen(handler: Handler): Promise<Server> {
	const app = express();
	app.disable('x-powered-by');
	app.use((request, response, next) => {
		handler(request, response).catch(next);
	});
	const server = createServer(app);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

/** n8n's default of N8N_PAYLOAD_SIZE_MAX, in bytes. */
const MAX_BODY = 16 * 1024 * 1024;

/** The body, decompressed. n8n limits its size as it is read (n8n 2.41: body-parser.js, with raw-body). */
async function wholeBody(request: expressModule.Request): Promise<Buffer> {
	const encoding = request.headers['content-encoding'];
	const unzip = { gzip: createGunzip, deflate: createInflate }[String(encoding)];
	const stream = unzip ? request.pipe(unzip()) : request;
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += chunk.length;
		const type = 'entity.too.large';
		if (size > MAX_BODY) throw Object.assign(new Error('Too large'), { type, status: 413 });
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/**
 * Reads and parses a body as n8n does before a node sees it (n8n 2.41: webhook-helpers.js and
 * body-parser.js). A body that is no JSON is refused with 422 before any node is asked: then the
 * result is false. A node of version 1 with `options.binaryData` reads the body itself, and so does a
 * node of version 2 if n8n does not know its type.
 */
export async function readBody(
	request: expressModule.Request,
	response: expressModule.Response,
	node: INode,
): Promise<boolean> {
	network.parseIncomingMessage(request);
	request.readRawBody = async () => {
		request.rawBody ??= await wholeBody(request);
	};
	const { options } = node.parameters as { options?: { binaryData?: boolean } };
	if (node.typeVersion === 1 && options?.binaryData === true) return true;
	const { contentType = '', encoding } = request;
	const isKnown = /^(application\/(json|x-www-form-urlencoded)|text\/plain)|[/+]xml$/;
	if (node.typeVersion > 1 && !isKnown.test(contentType)) return true;
	await request.readRawBody();
	request.body = {};
	const { rawBody } = request;
	if (rawBody.length === 0) return true;
	const text = rawBody.toString(encoding ?? 'utf8').replace(/^\uFEFF/, '');
	try {
		if (contentType === 'application/json') request.body = JSON.parse(text);
		if (contentType === 'text/plain') request.body = text;
		if (contentType === 'application/x-www-form-urlencoded') {
			request.body = Object.fromEntries(new URLSearchParams(text));
		}
		return true;
	} catch (error) {
		const hint = error instanceof Error ? error.message : String(error);
		response.status(422).json({ code: 422, message: 'Failed to parse request body', hint });
		return false;
	}
}
