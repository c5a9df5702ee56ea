package import Glibc

/// Opens files in directories whose owner may have put anything in their place.
package enum RegularFile {
    /// An error that says why a path is not opened.
    package struct Refused: Error, Equatable, CustomStringConvertible {
        package let reason: String
        /// The error of the system, or 0 if there is something else than a file.
        package let code: Int32
        package var description: String { reason }

        package init(reason: String, code: Int32) {
            self.reason = reason
            self.code = code
        }

        /// The error in `errno`.
        package static var ofSystem: Refused { Refused(reason: String(cString: strerror(errno)), code: errno) }
    }

    /// Opens a regular file. A final link is not followed, and a pipe or a device is refused without waiting for it.
    ///
    /// - Parameter directory: The directory in which a relative path begins.
    package static func open(
        _ path: String, in directory: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0
    ) throws(Refused) -> Int32 {
        let file = openat(directory, path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
        guard file >= 0 else { throw .ofSystem }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(file)
            throw Refused(reason: "it is no regular file", code: 0)
        }
        return file
    }

    /// Opens a directory, but not a link to one.
    package static func openDirectory(_ path: String) throws(Refused) -> Int32 {
        let directory = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { throw .ofSystem }
        return directory
    }
}
