export * from './nodes/index.ts'
export * from './readers/index.ts'
