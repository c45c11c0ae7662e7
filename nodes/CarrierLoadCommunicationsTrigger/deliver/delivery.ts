/** Tracks whether n8n has stored the execution that a request starts. Nothing else decides this. */
export class Delivery {
	private isStored = false;

	constructor(private readonly response: { readonly writableEnded: boolean }) {}

	/** Called when n8n asks for the response body, see `accept`. */
	markStored(): void {
		this.isStored = true;
	}

	/**
	 * `failed`: n8n responded with an error, so the sender delivers again. Undefined while n8n is
	 * still working: a sender that hangs up says nothing about that.
	 */
	get outcome(): 'stored' | 'failed' | undefined {
		if (this.isStored) return 'stored';
		return this.response.writableEnded ? 'failed' : undefined;
	}
}
