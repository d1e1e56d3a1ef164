import { api } from './client.ts'

/**
 * Makes sure that the terms in force are accepted before a wallet is asked or an overlay covers the page: where they are
 * not, the dialog of consent opens first.
 * @throws ApiError when they are not accepted
 */
export async function checkTerms(): Promise<void> {
  await api.post('/user/check-terms', {})
}
