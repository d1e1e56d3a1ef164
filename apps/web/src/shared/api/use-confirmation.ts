import { useEffect, useState } from 'react'
import { confirmBy } from './client.ts'

type Answer = (isConfirmed: boolean) => void

/**
 * Registers the calling component as the one that confirms refused requests, by a fresh signature or by consent to new
 * terms. While a request waits for confirmation, returns the function that resolves it.
 */
export function useConfirmation(): Answer | undefined {
  const [asked, setAsked] = useState<{ answer: Answer }>()
  useEffect(() => {
    let waiting: Promise<boolean> | undefined
    const ask = () => {
      const question = new Promise<boolean>((resolve) => {
        setAsked({
          answer: (isConfirmed) => {
            // A wallet can sign long after its dialog was closed; by then another dialog may be open.
            if (waiting !== question) return
            waiting = undefined
            setAsked(undefined)
            resolve(isConfirmed)
          },
        })
      })
      return question
    }
    return confirmBy(() => {
      // Requests refused at the same time share one confirmation.
      waiting ??= ask()
      return waiting
    })
  }, [])
  return asked?.answer
}
