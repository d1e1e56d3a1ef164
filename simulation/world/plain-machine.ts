/**
 * Options of Node.js for processes that play. Most of what a story makes is garbage soon: with more room for it, it is
 * looked through less often. And each process has a core at most: what V8 does beside the program costs more than it
 * saves.
 */
export const PLAIN_MACHINE = ['--max-semi-space-size=64', '--single-threaded']
