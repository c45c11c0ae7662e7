const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Notes the properties of an object. The returned function puts them back as they were. */
function remember(object) {
	const before = Object.getOwnPropertyDescriptors(object);
	return () => {
		for (const key of Reflect.ownKeys(object)) {
			if (!Object.hasOwn(before, key)) Reflect.deleteProperty(object, key);
		}
		for (const key of Reflect.ownKeys(before)) {
			const { value, get } = Object.getOwnPropertyDescriptor(object, key) ?? {};
			const isSame = value === before[key].value && get === before[key].get;
			if (!isSame) Object.defineProperty(object, key, before[key]);
		}
	};
}

/**
 * Runs test files in the worker's own realm, where packages.js can share packages between them. What a
 * file changes of the globals and of the process is put back when it ends.
 */
module.exports = class {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	// Given the global object itself, they would also replace `node:timers`, which Jest's own don't.
	fakeTimersModern;
	fakeTimers = null;
	#restore = [remember(globalThis), remember(process.env)];
	// Jest replaces them for each file.
	#process = { exit: process.exit, getBuiltinModule: process.getBuiltinModule };
	#exitListeners = new Set(process.listeners('exit'));

	constructor({ projectConfig }) {
		const global = new Proxy(globalThis, {});
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global });
	}

	async setup() {}

	/** With a clock that a file has left stopped, Jest could not tell how long the file took. */
	handleTestEvent({ name }) {
		if (name === 'run_finish') this.fakeTimersModern.useRealTimers();
	}

	async teardown() {
		this.fakeTimersModern.dispose();
		Object.assign(process, this.#process);
		this.#endServices();
		for (const restore of this.#restore) restore();
	}

	/** Some services of n8n run until the process exits: for them, it exits with the test file. */
	#endServices() {
		for (const listener of process.listeners('exit')) {
			if (this.#exitListeners.has(listener)) continue;
			process.off('exit', listener);
			listener.call(process, 0);
		}
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return null;
	}
};
