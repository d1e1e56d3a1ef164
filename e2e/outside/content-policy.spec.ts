import { expect, test } from '../support/test.ts'

test('every page is served with a content security policy that allows only our own scripts and styles', async ({
  product,
}) => {
  for (const path of ['/', '/login', '/dashboard', '/admin/dashboard']) {
    const reply = await fetch(`${product.url}${path}`)
    await reply.arrayBuffer()
    const policy = new Map(
      (reply.headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ')
        return [name, sources.join(' ')]
      }),
    )
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('style-src')).toBe("'self'")
    expect(policy.get('object-src')).toBe("'none'")
    expect(policy.get('base-uri')).toBe("'none'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*/)
  }
})
