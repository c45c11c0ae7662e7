/** The only place that decides whether n8n has stored the execution that a request starts. */
export class Delivery {
	private isStored = false;

	constructor(private readonly response: { readonly writableEnded: boolean }) {}

	/** To be called when n8n asks for the answer, see `accept`. */
	markStored(): void {
		this.isStored = true;
	}

	/**
	 * `failed`: n8n has answered with an error, so the sender delivers again. Undefined as long as n8n
	 * is at it: a sender that hangs up meanwhile says nothing about it.
	 */
	get outcome(): 'stored' | 'failed' | undefined {
		if (this.isStored) return 'stored';
		return this.response.writableEnded ? 'failed' : undefined;
	}
}
