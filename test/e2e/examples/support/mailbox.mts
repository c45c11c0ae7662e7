import { once } from 'node:events';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { isRecord } from '../../../../playground/n8n/rest.mts';

/** Name of the credential that leads to the mailbox. */
export const SMTP_CREDENTIAL = 'The mailbox';

/** A mail server on this machine that keeps what it receives. */
export interface Mailbox {
	/** For n8n's SMTP credential. */
	credential: JsonObject;
	received(): ParsedMail[];
	/** Whether it refuses every email. */
	isDown: boolean;
	/** How long it takes to confirm an email that it has received. */
	delayMs: number;
	close(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
	const mails: ParsedMail[] = [];
	const server = new SMTPServer({
		disabledCommands: ['STARTTLS'],
		authOptional: true,
		onData(stream, _session, done) {
			simpleParser(stream).then(
				(mail) => {
					if (mailbox.isDown) return void done(new Error('The mailbox is full'));
					mails.push(mail);
					setTimeout(done, mailbox.delayMs).unref();
				},
				(error: Error) => done(error),
			);
		},
	});
	const listening = server.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const address = listening.address();
	const mailbox: Mailbox = {
		...{ isDown: false, delayMs: 0 },
		credential: {
			...{ host: '127.0.0.1', port: isRecord(address) ? Number(address['port']) : 0 },
			...{ user: '', password: '', secure: false, disableStartTls: true },
		},
		received: () => mails,
		close: async () => await new Promise((closed) => server.close(() => closed())),
	};
	return mailbox;
}
