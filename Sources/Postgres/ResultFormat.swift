/// How values travel: as the text psql would show, or as the type's binary form.
package enum ResultFormat: Int32, Sendable {
    case text = 0
    case binary = 1
}
