export * from './chains/index.ts'
export * from './nodes/index.ts'
