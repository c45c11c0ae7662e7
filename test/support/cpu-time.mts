/** CPU time of this process while work is done, in milliseconds: other programs change it little. */
export async function cpuTime<Result>(
	work: () => Promise<Result>,
): Promise<{ result: Result; cpuMs: number }> {
	const before = process.cpuUsage();
	const result = await work();
	const { user, system } = process.cpuUsage(before);
	return { result, cpuMs: (user + system) / 1000 };
}
