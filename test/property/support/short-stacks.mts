// Node's own limit. With the 100 frames that Jest asks for, each \`expect\` and each error takes up to ten times as long,
// and random cases have millions of them.
Error.stackTraceLimit = 10;
