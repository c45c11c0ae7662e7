jest.setTimeout(20 * 60_000);
