import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { isRecord, type JsonObject } from '../../../../playground/n8n/rest.mts';

/** A mail to put into the mailbox. */
export interface Mail {
	from: string;
	subject: string;
	/** Content by file name. */
	attachments: Record<string, Buffer>;
}

/**
 * A mailbox on this machine, with as much of IMAP4rev1 (RFC 3501) as n8n's Email Trigger uses: one
 * folder, search for unseen mails, fetch whole ones, mark them as seen.
 */
export interface ImapMailbox {
	/** For n8n's IMAP credential. */
	credential: JsonObject;
	/** How many clients have the inbox open. */
	watching(): number;
	put(mail: Mail): void;
	/** How many mails were marked as seen. */
	seen(): number;
	/** How many mails were read, counting each time. */
	fetched(): number;
	close(): Promise<void>;
}

interface StoredMail {
	source: Buffer;
	seen: boolean;
}

const USER = { user: 'exports', password: 'imap-test-only' };

export async function startImapMailbox(): Promise<ImapMailbox> {
	const mails: StoredMail[] = [];
	let fetched = 0;
	const clients = new Set<Socket>();
	const watching = new Set<Socket>();
	const server = createServer((socket) => {
		clients.add(socket);
		socket.on('error', () => socket.destroy());
		socket.once('close', () => {
			clients.delete(socket);
			watching.delete(socket);
		});
		socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n');
		let idling = '';
		const lines = createInterface(socket);
		// A client that is killed resets its connection.
		lines.on('error', () => socket.destroy());
		lines.on('line', (line) => {
			if (line.toUpperCase() === 'DONE') return void socket.write(`${idling} OK done\r\n`);
			const [tag = '', ...words] = line.split(' ');
			if (words[0]?.toUpperCase() === 'IDLE') {
				idling = tag;
				return void socket.write('+ idling\r\n');
			}
			const answer = answerTo(words.join(' '), mails);
			if (answer.fetched === true) fetched++;
			for (const part of answer.parts) socket.write(part);
			if (answer.opened === true) watching.add(socket);
			socket.write(`${tag} ${answer.result}\r\n`);
			if (answer.bye === true) socket.end();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = isRecord(address) ? Number(address['port']) : 0;
	return {
		credential: { ...USER, ...{ host: '127.0.0.1', port, secure: false } },
		watching: () => watching.size,
		put(mail) {
			mails.push({ source: sourceOf(mail, mails.length), seen: false });
			for (const socket of watching) socket.write(`* ${mails.length} EXISTS\r\n`);
		},
		seen: () => mails.filter(({ seen }) => seen).length,
		fetched: () => fetched,
		async close() {
			for (const socket of clients) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

interface Answer {
	parts: Array<string | Buffer>;
	result: string;
	opened?: boolean;
	bye?: boolean;
	fetched?: boolean;
}

/** A mail's number is its UID: none is ever deleted. */
function answerTo(command: string, mails: StoredMail[]): Answer {
	const ok = (...parts: Array<string | Buffer>): Answer => ({ parts, result: 'OK completed' });
	const name = command.replace(/^UID /i, '').split(' ')[0]?.toUpperCase();
	if (name === 'CAPABILITY') return ok('* CAPABILITY IMAP4rev1 IDLE\r\n');
	if (name === 'LOGIN') {
		const words = command.replaceAll('"', '').split(' ');
		if (words[1] === USER.user && words[2] === USER.password) return ok();
		return { parts: [], result: 'NO [AUTHENTICATIONFAILED] wrong user or password' };
	}
	if (name === 'LIST' || name === 'LSUB') return ok(`* ${name} (\\HasNoChildren) "/" INBOX\r\n`);
	if (name === 'SELECT') {
		const head = `* FLAGS (\\Seen)\r\n* ${mails.length} EXISTS\r\n* OK [UIDVALIDITY 1] same\r\n`;
		return { ...ok(`${head}* OK [UIDNEXT ${mails.length + 1}] next\r\n`), opened: true };
	}
	if (name === 'SEARCH') {
		const unseen = mails.flatMap(({ seen }, nth) => (seen ? [] : [nth + 1]));
		return ok(`* SEARCH ${unseen.join(' ')}\r\n`);
	}
	if (name === 'FETCH') {
		const parts = numbersIn(command, mails).flatMap((uid) => fetchedMail(uid, mails));
		return { ...ok(...parts), fetched: parts.length > 0 };
	}
	if (name === 'STORE') {
		for (const uid of numbersIn(command, mails))
			Object.assign(mails[uid - 1] ?? {}, { seen: true });
		return ok();
	}
	if (name === 'LOGOUT') return { ...ok('* BYE\r\n'), bye: true };
	if (name === 'NOOP' || name === 'CLOSE') return ok();
	return { parts: [], result: 'BAD not supported here' };
}

function fetchedMail(uid: number, mails: StoredMail[]): Array<string | Buffer> {
	const source = mails[uid - 1]?.source ?? Buffer.alloc(0);
	return [`* ${uid} FETCH (UID ${uid} BODY[] {${source.length}}\r\n`, source, ')\r\n'];
}

/** The numbers of a set such as `1,3:5`. */
function numbersIn(command: string, mails: StoredMail[]): number[] {
	const set = command.split(' ')[2] ?? '';
	const ranges = set.split(',').map((range) => range.split(':'));
	return mails
		.map((_mail, nth) => nth + 1)
		.filter((uid) =>
			ranges.some(([from, to = from]) => {
				return uid >= Number(from) && (to === '*' || uid <= Number(to));
			}),
		);
}

function sourceOf({ from, subject, attachments }: Mail, nth: number): Buffer {
	const files = Object.entries(attachments).map(([name, content]) =>
		[
			'--part',
			`Content-Type: application/octet-stream; name="${name}"`,
			`Content-Disposition: attachment; filename="${name}"`,
			'Content-Transfer-Encoding: base64',
			'',
			(content.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n'),
		].join('\r\n'),
	);
	const head = [
		`From: ${from}`,
		'To: exports@broker.example',
		`Subject: ${subject}`,
		`Message-ID: <${nth}@tms.example>`,
		'MIME-Version: 1.0',
		'Content-Type: multipart/mixed; boundary="part"',
	];
	const text = '--part\r\nContent-Type: text/plain\r\n\r\nThe export is attached.';
	return Buffer.from([...head, '', text, ...files, '--part--', ''].join('\r\n'));
}
