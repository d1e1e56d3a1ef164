// The first script of every page, in the oldest JavaScript, so that every browser can run it. Adds the built-ins that
// supported browsers may lack, and tells the user where the browser is too old for the page, or did not load it.
// apps/web/build/browsers/oldest-browsers.ts names the browsers and the reasons.
;(function () {
  var hasOwnProperty = Object.prototype.hasOwnProperty

  function add(owner, name, value) {
    if (!owner || name in owner) return
    Object.defineProperty(owner, name, { value: value, writable: true, configurable: true })
  }

  function at(index) {
    var whole = Math.trunc(index) || 0
    return this[whole < 0 ? this.length + whole : whole]
  }
  function findLastIndex(test, self) {
    for (var index = this.length - 1; index >= 0; index -= 1) {
      if (test.call(self, this[index], index, this)) return index
    }
    return -1
  }
  function findLast(test, self) {
    return this[findLastIndex.call(this, test, self)]
  }
  function toReversed() {
    return this.slice().reverse()
  }
  function toSorted(compare) {
    return this.slice().sort(compare)
  }
  var lists = [Array, Object.getPrototypeOf && Object.getPrototypeOf(window.Uint8Array || Array)]
  for (var list = 0; list < lists.length; list += 1) {
    var prototype = lists[list] && lists[list].prototype
    add(prototype, 'at', at)
    add(prototype, 'findLastIndex', findLastIndex)
    add(prototype, 'findLast', findLast)
    add(prototype, 'toReversed', toReversed)
    add(prototype, 'toSorted', toSorted)
  }
  add(String.prototype, 'at', function (index) {
    return at.call(String(this), index)
  })
  add(Array.prototype, 'toSpliced', function () {
    var copy = this.slice()
    copy.splice.apply(copy, arguments)
    return copy
  })
  add(Array.prototype, 'with', function (index, value) {
    var copy = this.slice()
    var place = index < 0 ? copy.length + index : index
    if (!(place >= 0 && place < copy.length)) throw new RangeError('Invalid index')
    copy[place] = value
    return copy
  })
  add(Object, 'hasOwn', function (owner, name) {
    return hasOwnProperty.call(owner, name)
  })
  add(Object, 'groupBy', function (items, keyOf) {
    var groups = Object.create(null)
    var index = 0
    items.forEach(function (item) {
      var key = keyOf(item, index)
      index += 1
      ;(groups[key] = groups[key] || []).push(item)
    })
    return groups
  })
  add(window.Map, 'groupBy', function (items, keyOf) {
    var groups = new Map()
    var index = 0
    items.forEach(function (item) {
      var key = keyOf(item, index)
      index += 1
      if (groups.has(key)) groups.get(key).push(item)
      else groups.set(key, [item])
    })
    return groups
  })
  add(window.AbortSignal, 'timeout', function (milliseconds) {
    var controller = new AbortController()
    setTimeout(function () {
      controller.abort(new DOMException('The operation timed out.', 'TimeoutError'))
    }, milliseconds)
    return controller.signal
  })
  add(window.AbortSignal && AbortSignal.prototype, 'throwIfAborted', function () {
    if (this.aborted) throw this.reason || new DOMException('Aborted', 'AbortError')
  })
  add(window.HTMLFormElement && HTMLFormElement.prototype, 'requestSubmit', function () {
    if (!this.noValidate && !this.reportValidity()) return
    this.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
  // Browsers offer it only to sites with https; it needs no more than random bytes.
  add(window.crypto, 'randomUUID', function () {
    var bytes = crypto.getRandomValues(new Uint8Array(16))
    bytes[6] = (bytes[6] & 15) | 64
    bytes[8] = (bytes[8] & 63) | 128
    var text = ''
    for (var index = 0; index < 16; index += 1) {
      if (index === 4 || index === 6 || index === 8 || index === 10) text += '-'
      text += (bytes[index] + 256).toString(16).slice(1)
    }
    return text
  })

  function say(sentences) {
    var root = document.getElementById('root')
    if (!root) return
    root.textContent = ''
    for (var index = 0; index < sentences.length; index += 1) {
      var paragraph = document.createElement('p')
      paragraph.appendChild(document.createTextNode(sentences[index]))
      root.appendChild(paragraph)
    }
  }

  // Cascade layers are the line: without them, no page has its layout. They came with everything else that is needed.
  window.isTooOld = !('CSSLayerBlockRule' in window)
  window.addEventListener('load', function () {
    if (window.isTooOld) {
      say([
        'This browser is too old for this app. Update it, or open this page in another one: Chrome 99, Safari 15.4 (iOS 15.4), Firefox 115 or newer.',
        'Peramban ini terlalu lama untuk aplikasi ini. Perbarui, atau buka halaman ini di peramban lain: Chrome 99, Safari 15.4 (iOS 15.4), Firefox 115 atau yang lebih baru.',
      ])
    } else if (!window.hasStarted) {
      say([
        'This page could not be loaded. Check your connection and reload it.',
        'Halaman ini tidak dapat dimuat. Periksa koneksi Anda dan muat ulang.',
      ])
    }
  })
})()
