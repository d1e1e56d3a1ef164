import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Wraps work so that it does not start again while it runs: a second click can arrive before the button renders as
 * disabled.
 * @returns the wrapped work; it resolves to undefined if it was already running
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

/** A mutation started by a button; further clicks are ignored while it runs. */
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
