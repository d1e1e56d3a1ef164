export function unitSettings(folder?: string): Record<string, string> | undefined
