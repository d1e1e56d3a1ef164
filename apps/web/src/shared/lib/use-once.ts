import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Work that is not begun again while it runs: a second click can come before the page has drawn that the button is off.
 * @returns the work; it resolves to undefined where it was running already
 */
export function useOnce<A extends unknown[], R>(
  work: (...args: A) => Promise<R>,
): (...args: A) => Promise<R | undefined> {
  const isRunning = useRef(false)
  return async (...args) => {
    if (isRunning.current) return undefined
    isRunning.current = true
    try {
      return await work(...args)
    } finally {
      isRunning.current = false
    }
  }
}

/** A mutation that a person starts by a button. While it runs, further clicks start nothing. */
export function useAction<Data = unknown, Failure = Error, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Context>,
) {
  const mutation = useMutation(options)
  const isRunning = useRef(false)
  const mutate = (
    variables: Variables,
    callbacks?: MutateOptions<Data, Failure, Variables, Context>,
  ): void => {
    if (isRunning.current) return
    isRunning.current = true
    const guarded: typeof callbacks = {
      ...callbacks,
      onSettled(...outcome) {
        isRunning.current = false
        callbacks?.onSettled?.(...outcome)
      },
    }
    mutation.mutate(...([variables, guarded] as Parameters<typeof mutation.mutate>))
  }
  return { ...mutation, mutate }
}
