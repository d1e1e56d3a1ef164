import { api } from './client.ts'

/**
 * Ensures that the terms in force are accepted before a wallet prompts the user or an overlay covers the page: if they
 * are not, the consent dialog opens first.
 * @throws ApiError if they are not accepted
 */
export async function checkTerms(): Promise<void> {
  await api.post('/user/check-terms', {})
}
