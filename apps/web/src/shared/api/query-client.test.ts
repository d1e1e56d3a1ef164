import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'

beforeEach(() => vi.stubGlobal('window', new EventTarget()))
afterEach(() => {
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

test('without a connection a write fails immediately, and is not sent when the connection is back', async () => {
  const client = createQueryClient()
  onlineManager.setOnline(false)
  const sent: string[] = []
  const write = client.getMutationCache().build(client, {
    mutationFn: async (what: string) => {
      sent.push(what)
      throw new Error('offline')
    },
  })
  const outcome = write.execute('a claim').catch((error: Error) => error.message)
  await expect.poll(() => write.state.status).not.toBe('pending')
  expect(await outcome).toBe('offline')
  onlineManager.setOnline(true)
  await client.resumePausedMutations()
  expect(sent).toEqual(['a claim'])
})

test('without a connection a read fails instead of waiting forever', async () => {
  const client = createQueryClient()
  onlineManager.setOnline(false)
  const queryFn = () => Promise.reject(new Error('offline'))
  await expect(client.fetchQuery({ queryKey: ['figures'], queryFn })).rejects.toThrow('offline')
})
