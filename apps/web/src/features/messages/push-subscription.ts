import type { Language } from '@dct/api-contract/languages'
import { queryOptions } from '@tanstack/react-query'
import {
  findServiceWorker,
  serviceWorkers,
  startedServiceWorker,
} from '../../shared/storage/service-worker.ts'
import { messages } from './messages.api.ts'

/** Whether this browser supports messages and permits them, and the subscription's `endpoint` if it is subscribed. */
export type OwnPush =
  | { state: 'unsupported' | 'blocked' }
  | { state: 'ready'; endpoint: string | undefined }

export const ownPushQuery = queryOptions({
  queryKey: ['own-push'] as const,
  queryFn: readOwnPush,
  // Changes of the browser's settings take effect as soon as the holder returns to the page.
  staleTime: 0,
})

async function readOwnPush(): Promise<OwnPush> {
  if (!isSupported()) return { state: 'unsupported' }
  if (Notification.permission === 'denied') return { state: 'blocked' }
  return { state: 'ready', endpoint: (await ownSubscription())?.endpoint }
}

function isSupported(): boolean {
  return serviceWorkers() !== undefined && 'PushManager' in window && 'Notification' in window
}

async function ownSubscription(): Promise<PushSubscription | null | undefined> {
  return (await findServiceWorker())?.pushManager.getSubscription()
}

/**
 * Requests the permission, subscribes this browser and registers it with the service. Call it from a user gesture:
 * browsers prompt only then.
 * @returns whether messages are on; `false` if the permission was not granted
 */
export async function turnOn(settings: { key: string; language: Language }): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { pushManager } = await startedServiceWorker()
  // An existing subscription that the service does not know, or that was made for another key, cannot be reused.
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: settings.key,
  })
  await messages.subscribe(subscription.toJSON(), settings.language)
  return true
}

/** Removes this browser from the service, and then its subscription. */
export async function turnOff(id: string): Promise<void> {
  await messages.removeDevice(id)
  await (await ownSubscription())?.unsubscribe()
}
