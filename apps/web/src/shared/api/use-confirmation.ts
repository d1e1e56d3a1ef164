import { useEffect, useState } from 'react'
import { confirmBy } from './client.ts'

type Answer = (isConfirmed: boolean) => void

/**
 * Makes a page the one that confirms refused calls: by a fresh signature or by consent to new terms. While a call waits
 * for that, it returns the function that answers it.
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
      // Calls refused at the same time share one answer.
      waiting ??= ask()
      return waiting
    })
  }, [])
  return asked?.answer
}
