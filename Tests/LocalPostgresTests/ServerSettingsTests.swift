import Testing

@testable import LocalPostgres

struct ServerSettingsTests {
    private func lines(gigabytes: Int, throwaway: Bool = false, socket: String = "/s") -> [String] {
        ServerSettings(
            memory: gigabytes << 30, socketDirectory: socket, maxConnections: 100, throwaway: throwaway,
            pageCompression: "lz4"
        )
        .text.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [(1, "256MB", "512MB"), (16, "4096MB", "8192MB"), (256, "8192MB", "131072MB")])
    func `shared buffers are a quarter of the memory, up to a limit`(gigabytes: Int, buffers: String, cache: String) {
        let lines = self.lines(gigabytes: gigabytes)
        #expect(lines.contains("shared_buffers = \(buffers)") && lines.contains("effective_cache_size = \(cache)"))
    }

    @Test func `durability is on unless the cluster is temporary`() {
        for name in ["fsync", "synchronous_commit", "full_page_writes"] {
            #expect(self.lines(gigabytes: 1).contains("\(name) = on"))
        }
        #expect(self.lines(gigabytes: 1, throwaway: true).contains("fsync = off"))
    }

    @Test func `the memory of the unit and of all groups above it limits the server`() {
        #expect(
            MachineMemory.limitFiles(ofGroup: "1:name=x:/y\n0::/system.slice/a.service\n").dropFirst() == [
                "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.high", "/sys/fs/cgroup/system.slice/memory.max",
                "/sys/fs/cgroup/system.slice/memory.high", "/sys/fs/cgroup/system.slice/a.service/memory.max",
                "/sys/fs/cgroup/system.slice/a.service/memory.high",
            ])
        #expect(MachineMemory.limitFiles(ofGroup: "").contains("/sys/fs/cgroup/memory.max"))
    }

    @Test func `a directory with quotes is one element of the list of socket directories`() {
        let lines = self.lines(gigabytes: 1, socket: "/it's, \"here\"")
        #expect(lines.contains("unix_socket_directories = '\"/it''s, \"\"here\"\"\"'"))
    }
}
